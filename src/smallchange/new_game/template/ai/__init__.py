"""Knowledge of Pig for its bots."""
