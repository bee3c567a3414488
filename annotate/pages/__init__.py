"""What single work pages show, where that is more than a few fields."""
