"""The two halves of the generalisation page: runs of the workspace (`of_run`), and uploaded files, which hold
tagged tokens (`of_tags`) or mentions (`of_mentions`)."""
