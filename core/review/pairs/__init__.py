"""Review of claim pairs: what it adds to the desk that every kind of item shares.

index    the queue: order from labels
view     pairs as JSON: both abstracts, claims, contexts lined up, labels, scores
submit   events -> decisions
kind     the four of them as `core.review.desk` asks for them
guide    definitions, rules and explanations that the page shows
"""
