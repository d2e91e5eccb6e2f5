module parley.example/run-cases

go 1.19

require github.com/parley/parley-go v0.0.0

replace github.com/parley/parley-go => ../../../packages/sdk-go
