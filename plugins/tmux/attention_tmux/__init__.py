"""tmux as a host: its focus and its panes over its command line."""
