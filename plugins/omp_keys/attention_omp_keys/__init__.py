"""Oh My Pi as an agent: transports that pause it, detectors that see whether it is paused."""
