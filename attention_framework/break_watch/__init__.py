"""Following break sources: what they tell becomes holds."""
