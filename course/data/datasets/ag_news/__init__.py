"""AG News: short news articles of four topics, collected from AG's corpus of news articles.

Zhang, Zhao and LeCun, Character-level Convolutional Networks for Text Classification, 2015
(https://arxiv.org/abs/1509.01626). 120,000 texts for training and 7,600 for testing.
"""

CLASS_NAMES = ("World", "Sports", "Business", "Sci/Tech")
VERSION = "1.0.0"  # of the prepared data: to be raised when the same archive gives other texts
ARCHIVE = "ag_news_csv.tar.gz"
# As TensorFlow Datasets has them for its own builder of these data, ag_news_subset.
DOWNLOAD_URL = "https://drive.google.com/uc?export=download&id=0Bz8a_Dbh9QhbUDNpeUdjb0wxRms"
DOWNLOAD_SHA256 = "4e2fc37d369e6e317a8b62d0d2f11d379f8c3dde60c07c35a46b069a246498ad"
TFDS_NAME = "ag_news_subset"
