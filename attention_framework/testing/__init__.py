"""Contract suites and simulators for plugin authors, and for the project's own tests."""
