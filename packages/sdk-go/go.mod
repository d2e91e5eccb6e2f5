module go.parley.example/parley

go 1.19
