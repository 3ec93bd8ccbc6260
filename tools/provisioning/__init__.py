"""What the project's checks need and pip does not bring: OMP, bun, tmux, a Windows Python. Standard library only."""
