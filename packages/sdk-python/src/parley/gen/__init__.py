# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""Generated code."""
