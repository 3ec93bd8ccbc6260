"""Stretchly: its log tells when a screen break is going on."""
