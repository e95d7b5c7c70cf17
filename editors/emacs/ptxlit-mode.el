;;; ptxlit-mode.el --- Litmus tests of PTX, cat models, mappings -*- lexical-binding: t -*-
;; Version: @VERSION@
;; SPDX-License-Identifier: MIT

;;; Commentary:
;; Highlighting for .litmus, .cat and .map files.  M-x compile checks a litmus test, and next-error visits its errors.

;;; Code:

(defun ptxlit--any (words)
  "A regexp for one of WORDS, separated by blanks; group 1 is the word."
  (regexp-opt (split-string words) t))

(defconst ptxlit--opcode (concat (ptxlit--any "@OPCODES@") "\\_>"))
(defconst ptxlit--qualifier (concat "\\." (ptxlit--any "@QUALIFIERS@") "\\_>"))

(defconst ptxlit--litmus-words
  `(("\\`\\(PTX\\|CUDA\\)\\_>" . font-lock-keyword-face)
    ("^\\([A-Z][A-Za-z0-9_.-]*\\)[ \t]*=[^;\n]*$" 1 font-lock-keyword-face)
    ("\\_<\\(exists\\|forall\\|filter\\|locations\\|aliases\\|kernel\\|grid\\|block\\)\\_>" . font-lock-keyword-face)
    ("\\_<P[0-9]+\\(?:[ \t]*,[ \t]*P[0-9]+\\)*@[^|;\n]*" . font-lock-preprocessor-face)
    (,(concat "\\(?:^\\|[] |;]\\)" ptxlit--opcode) 1 font-lock-function-name-face)
    (,ptxlit--qualifier . font-lock-type-face)
    ("\\_<\\(?:0[xXfFdD][0-9a-fA-F]+\\|[0-9]+\\)[uU]?\\_>" . font-lock-constant-face)))

(defconst ptxlit--cat-words
  `((,(concat "\\_<" (ptxlit--any "@KEYWORDS@") "\\_>") . font-lock-keyword-face)
    (,(concat "\\_<" (ptxlit--any "@BUILTINS@") "\\_>") . font-lock-builtin-face)))

(defconst ptxlit--map-words
  `((,(concat "^[ \t]*" (ptxlit--any "@OPERATIONS@") "\\(?:[ \t]+" (ptxlit--any "@ORDERS@") "\\)?[ \t]*:")
     (1 font-lock-keyword-face) (2 font-lock-keyword-face nil t))
    ("^\\(Source\\)[ \t]*=" 1 font-lock-keyword-face)
    (,(concat "[:|;][ \t]*" ptxlit--opcode) 1 font-lock-function-name-face)
    (,(concat "\\.S\\_>\\|" ptxlit--qualifier) . font-lock-type-face)))

(defun ptxlit--syntax (symbols &optional hash)
  "A syntax table in which SYMBOLS are parts of words, and with HASH a # begins a comment."
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\( "()1n" table)
    (modify-syntax-entry ?\) ")(4n" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?/ ". 12c" table)
    (modify-syntax-entry ?\n "> c" table)
    (when hash (modify-syntax-entry ?# "< c" table))
    (mapc (lambda (sign) (modify-syntax-entry sign "." table)) "\\&|<>=+-")
    (mapc (lambda (symbol) (modify-syntax-entry symbol "_" table)) symbols)
    table))

;;;###autoload
(define-derived-mode ptxlit-litmus-mode prog-mode "Litmus"
  "Major mode for litmus tests of PTX."
  :syntax-table (ptxlit--syntax "_:")
  (setq-local font-lock-defaults '(ptxlit--litmus-words)
              comment-start "// " comment-end "")
  (when buffer-file-name
    (setq-local compile-command (concat "ptxlit --quiet " (shell-quote-argument buffer-file-name)))))

;;;###autoload
(define-derived-mode ptxlit-cat-mode prog-mode "Cat"
  "Major mode for memory models in the language cat."
  :syntax-table (ptxlit--syntax "_.-" t)
  (setq-local font-lock-defaults '(ptxlit--cat-words)
              comment-start "// " comment-end ""))

;;;###autoload
(define-derived-mode ptxlit-map-mode prog-mode "Mapping"
  "Major mode for mappings from CUDA C++ to PTX."
  :syntax-table (ptxlit--syntax "_")
  (setq-local font-lock-defaults '(ptxlit--map-words)
              comment-start "// " comment-end ""))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.litmus\\'" . ptxlit-litmus-mode))
  (add-to-list 'auto-mode-alist '("\\.cat\\'" . ptxlit-cat-mode))
  (add-to-list 'auto-mode-alist '("\\.map\\'" . ptxlit-map-mode)))

;; M-x eglot starts the language server.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((ptxlit-litmus-mode ptxlit-cat-mode ptxlit-map-mode) . ("ptxlit" "lsp"))))

(provide 'ptxlit-mode)
;;; ptxlit-mode.el ends here
