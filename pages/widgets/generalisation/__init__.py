"""The two halves of the generalisation page: runs of the workspace (`of_run`), uploaded tags (`of_tags`)."""
