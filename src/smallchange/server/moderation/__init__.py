"""Reports, and the page of keepers."""
