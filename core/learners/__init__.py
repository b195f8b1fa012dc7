"""What trains. scikit-learn is imported here alone, and only while something is learned."""
