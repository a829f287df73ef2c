((function name: (identifier) @run @_main)
  (#eq? @_main "main")
  (#set! tag neuro-main))
