module parley.example/run-cases

go 1.19

require go.parley.example/parley v0.0.0

replace go.parley.example/parley => ../../../packages/sdk-go
