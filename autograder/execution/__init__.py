"""Execute notebooks in kernels, here or on a cluster, without the gradebook and the keys."""
