"""What trains. scikit-learn is imported here alone, and only while something is learned.

linear     logistic regression, as numbers alone
keep_drop  learns whether a proposal is kept          head    what a stored head says of rows of features
baselines  dictionaries that have training by heart   splits  training sets that leave concepts unseen
"""
