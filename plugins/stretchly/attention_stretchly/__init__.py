"""The plugin for Stretchly, a program for screen breaks: it reads Stretchly's log, and can ask Stretchly for a break."""
