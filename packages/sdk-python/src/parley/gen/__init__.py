"""Generated code: see ``packages/sdk-generator``."""
