"""News Category: headlines and short descriptions of a news site, in some 40 categories.

Misra, News Category Dataset, 2018 (https://arxiv.org/abs/2209.11429). 200,853 rows in 41
categories of very different size. The publisher has one file and no split; the course's own is
described in ``builder.read_file``.
"""

VERSION = "1.0.0"  # of the prepared data: to be raised when the same file gives other texts
ARCHIVE = "News_Category_Dataset_v2.json"
DOWNLOAD_URL = None
NO_DOWNLOAD = (
    f"the publisher asks for a login; {ARCHIVE} is version 2 of"
    " https://www.kaggle.com/datasets/rmisra/news-category-dataset"
)
TFDS_NAME = None
