"""Herdr's plugin system: manifests, the registry, and hooks that run as child processes."""
