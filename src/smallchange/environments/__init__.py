"""The games as environments for learners: batches of arrays, and the interfaces of other libraries."""
