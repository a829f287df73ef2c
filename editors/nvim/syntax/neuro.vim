" Colours for Neuro. The words are those of the lexer; a test compares the list of keywords.
if exists('b:current_syntax')
  finish
endif

syntax keyword neuroKeyword func val mut const struct enum impl trait type newtype import export module
syntax keyword neuroKeyword self Self where as dyn move unsafe pool
syntax keyword neuroConditional if else match
syntax keyword neuroRepeat while for in loop break continue return
syntax keyword neuroBoolean true false
syntax keyword neuroType i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 bool char string void Tensor
syntax match neuroFunction /\<func\s\+\zs\h\w*/
syntax match neuroCall /\<\h\w*\ze(/
syntax match neuroAttribute /@\h\w*/
syntax match neuroNumber /\<\d[0-9_]*\%(\.\d[0-9_]*\)\?\%([eE][+-]\?\d[0-9_]*\)\?\%([iu]\%(8\|16\|32\|64\)\|f32\|f64\|f16\|bf16\)\?\>/
syntax match neuroNumber /\<0[xX]\x[0-9a-fA-F_]*\>\|\<0[oO]\o[0-7_]*\>\|\<0[bB][01][01_]*\>/
syntax match neuroChar /'\%([^'\\]\|\\.\|\\x\x\x\|\\u{\x\+}\)'/
syntax match neuroEscape /\\\%([nrt\\"0{}]\|x\x\x\|u{\x\+}\)/ contained
syntax region neuroHole start=/{/ end=/}/ contained contains=neuroNumber,neuroCall,neuroKeyword
syntax region neuroString start=/"/ skip=/\\./ end=/"/ oneline contains=neuroEscape,neuroHole
syntax region neuroString start=/"""/ end=/"""/ contains=neuroEscape,neuroHole
syntax match neuroComment /\/\/.*$/ contains=@Spell
syntax region neuroComment start=/\/\*/ end=/\*\// contains=neuroComment,@Spell

highlight default link neuroKeyword Keyword
highlight default link neuroConditional Conditional
highlight default link neuroRepeat Repeat
highlight default link neuroBoolean Boolean
highlight default link neuroType Type
highlight default link neuroFunction Function
highlight default link neuroCall Function
highlight default link neuroAttribute PreProc
highlight default link neuroNumber Number
highlight default link neuroChar Character
highlight default link neuroString String
highlight default link neuroEscape SpecialChar
highlight default link neuroHole Special
highlight default link neuroComment Comment

let b:current_syntax = 'neuro'
