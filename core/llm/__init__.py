"""The client for OpenAI-compatible endpoints: asks, repairs, prices, keeps every answer."""
