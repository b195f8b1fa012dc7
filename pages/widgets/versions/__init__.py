"""The parts of the versions page."""
