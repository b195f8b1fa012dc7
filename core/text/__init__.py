"""Text below concepts: words and their common form, sentences, spans with exact offsets, assertion status."""
