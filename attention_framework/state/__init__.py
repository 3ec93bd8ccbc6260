"""The state folder: names, layout and the files in it (docs/reference/state-files.md)."""
