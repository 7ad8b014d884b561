"""The Python side of the kernels: searches with their budgets, training and learned weights."""
