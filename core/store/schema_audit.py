"""Words of the audit: kinds of items and what curators do with them. Its lists are frames."""

AUDIT = """
INSERT INTO item_kinds VALUES ('error'), ('gold_change');
INSERT INTO actions VALUES ('classify_error');
"""
