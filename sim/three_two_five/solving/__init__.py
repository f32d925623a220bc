"""3-2-5 solved exactly with all hands open."""
