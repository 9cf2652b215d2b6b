"""IMDB: film reviews, each with a clear opinion.

Maas, Daly, Pham, Huang, Ng and Potts, Learning Word Vectors for Sentiment Analysis, 2011
(https://ai.stanford.edu/~amaas/data/sentiment/). 25,000 reviews for training and 25,000 for
testing, half of them positive; of films in the one, none is in the other.
"""

CLASS_NAMES = ("neg", "pos")
VERSION = "1.0.0"  # of the prepared data: to be raised when the same archive gives other texts
ARCHIVE = "aclImdb_v1.tar.gz"
# As TensorFlow Datasets has them for its own builder of these data, imdb_reviews.
DOWNLOAD_URL = "http://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
DOWNLOAD_SHA256 = "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"
TFDS_NAME = "imdb_reviews/plain_text"
