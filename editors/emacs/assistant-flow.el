;;; assistant-flow.el --- Assistant flows with Eglot and dape  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.8"))
;; Keywords: languages, tools

;;; Commentary:

;; Modes for flows, tests, policies and project files, the language server through Eglot,
;; and the debugger through dape where it is installed.  Needs the program assistant-flow on the PATH:
;;
;;   (add-to-list 'load-path "…/editors/emacs")
;;   (require 'assistant-flow)

;;; Code:

(require 'eglot)

(defgroup assistant-flow nil "Assistant flows." :group 'languages :prefix "assistant-flow-")

(defcustom assistant-flow-server-command '("assistant-flow" "lsp" "--stdio")
  "Program and arguments of the language server."
  :type '(repeat string))

(defcustom assistant-flow-debugger-command '("assistant-flow" "dap")
  "Program and arguments of the debugger."
  :type '(repeat string))

;; yaml-mode is optional.
(defalias 'assistant-flow--parent-mode (if (require 'yaml-mode nil t) 'yaml-mode 'text-mode))

(define-derived-mode assistant-flow-mode assistant-flow--parent-mode "Flow"
  "Mode for the flow of an assistant."
  (setq-local comment-start "# " indent-tabs-mode nil))

(define-derived-mode assistant-flow-test-mode assistant-flow-mode "Flow Test"
  "Mode for tests of a flow.")

(define-derived-mode assistant-flow-policies-mode assistant-flow-mode "Flow Policies"
  "Mode for policies of flows.")

(define-derived-mode assistant-flow-project-mode assistant-flow-mode "Flow Project"
  "Mode for the environments of flows.")

(add-to-list 'auto-mode-alist '("\\.flow\\.ya?ml\\'" . assistant-flow-mode))
(add-to-list 'auto-mode-alist '("\\.flowtest\\.ya?ml\\'" . assistant-flow-test-mode))
(add-to-list 'auto-mode-alist '("/assistant-flow\\.policies\\.yaml\\'" . assistant-flow-policies-mode))
(add-to-list 'auto-mode-alist '("/assistant-flow\\.project\\.yaml\\'" . assistant-flow-project-mode))

(defun assistant-flow--contact (&rest _)
  "The command of the language server, for Eglot."
  assistant-flow-server-command)

(add-to-list 'eglot-server-programs
             '((assistant-flow-mode assistant-flow-test-mode assistant-flow-policies-mode assistant-flow-project-mode)
               . assistant-flow--contact))
(add-hook 'assistant-flow-mode-hook #'eglot-ensure)

(defvar dape-configs)
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(assistant-flow
                 modes (assistant-flow-mode assistant-flow-test-mode)
                 command ,(car assistant-flow-debugger-command)
                 command-args ,(cdr assistant-flow-debugger-command)
                 :type "assistant-flow"
                 :request "launch"
                 :program dape-buffer-default)))

(provide 'assistant-flow)
;;; assistant-flow.el ends here
