"""The policies that come with attention-framework."""
