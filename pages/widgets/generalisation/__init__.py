"""The parts of the generalisation page: a run of the workspace (`of_run`), runs of several training sizes
(`of_sizes`), and uploaded files, which hold tagged tokens (`of_tags`) or mentions (`of_mentions`)."""
