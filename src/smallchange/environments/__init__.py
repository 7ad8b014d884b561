"""The games as environments for learners: batches of arrays, and what other libraries ask for."""
