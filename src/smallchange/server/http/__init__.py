"""HTTP: pages, forms, the JSON API, and the security of all of them."""
