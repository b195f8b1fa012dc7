"""The trees page: what lies where (`icicle`), around one gold concept (`around`), trees beside each other
(`compare`), and where they come from (`make`). `choice` holds the filters that they share."""
