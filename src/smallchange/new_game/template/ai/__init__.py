"""Knowledge of My Game for its bots."""
