"""The driver: asks Stretchly for a break, and holds the agents until that break is over."""
