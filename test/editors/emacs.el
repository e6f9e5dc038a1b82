;;; Drives editors/emacs/assistant-flow.el in batch mode and writes the resulting state of Emacs as JSON.  -*- lexical-binding: t -*-
;; The environment variables FLOW and OUTPUT are its arguments.
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'json)

(require 'assistant-flow)
(setq eglot-sync-connect t eglot-connect-timeout 60 eglot-autoshutdown nil eglot-send-changes-idle-time 0
      eglot-confirm-server-initiated-edits nil make-backup-files nil create-lockfiles nil
      flymake-no-changes-timeout nil)

(defvar seen nil "The results, an alist.")
(defun see (key value) (push (cons key value) seen))

(defvar test-choice nil "The pattern of the item to choose from a list.")
(defun test-choose (prompt choices &rest _)
  (let ((names (mapcar (lambda (each) (if (consp each) (car each) each)) choices)))
    (when (member "Push" names) (see 'asked prompt))
    (or (seq-find (lambda (name) (and (string-match-p (or test-choice "^Push$") name)
                                      (not (string-match-p "gnore" name))))
                  names)
        (car names))))
(advice-add 'completing-read :override #'test-choose)

(defun wait-for (what condition)
  (let ((end (+ (float-time) 60)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end) (error "never happened: %s" what))
      (accept-process-output nil 0.05))
    value))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))
(defun go-to (target) (goto-char (point-min)) (search-forward target))

;; Eglot keeps each diagnostic as it was received; `words` is the text at the positions that Emacs made of its range.
;; Flymake's timers don't run in batch mode, so it is started each time.
(defun current-diagnostics () (flymake-start) (flymake-diagnostics))

(defun diagnostics ()
  (mapcar
   (lambda (diagnostic)
     (let* ((raw (cdr (assoc 'eglot-lsp-diag (eglot--diag-data diagnostic)))))
       (list (cons 'source (plist-get raw :source))
             (cons 'code (plist-get raw :code))
             (cons 'severity (plist-get raw :severity))
             (cons 'message (plist-get raw :message))
             (cons 'relatedInformation (or (plist-get raw :relatedInformation) []))
             (cons 'range (plist-get raw :range))
             (cons 'words (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic)
                                                          (flymake-diagnostic-end diagnostic))))))
   (sort (current-diagnostics) (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))

(defun run-all ()
  (find-file (getenv "FLOW"))
  (see 'mode (symbol-name major-mode))
  (apply #'eglot (eglot--guess-contact))
  (flymake-mode 1)
  (wait-for "diagnostics" #'current-diagnostics)
  (see 'diagnostics (vconcat (diagnostics)))

  (go-to "- to: ")
  (let* ((answer (eglot-completion-at-point)))
    (see 'completion (vconcat (mapcar #'substring-no-properties (all-completions "" (nth 2 answer))))))

  (go-to "entry: gr")
  (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
    (see 'hover (plist-get (plist-get hover :contents) :value)))

  (let ((definition (car (xref-backend-definitions 'eglot "LSP identifier at point."))))
    (goto-char (xref-location-marker (xref-item-location definition)))
    (see 'definition (buffer-substring-no-properties (line-beginning-position) (line-end-position))))

  (eglot-rename "welcome")
  (see 'renamed (text))

  (eglot--signal-textDocument/didChange)
  (wait-for "diagnostics after the rename" #'current-diagnostics)
  (go-to "{{acount")
  (setq test-choice "account_id" last-nonmenu-event 13)
  (let ((actions (eglot-code-actions (point) (point))))
    (see 'action (test-choose "" (mapcar (lambda (each) (plist-get each :title)) actions)))
    (eglot--read-execute-code-action actions (eglot-current-server)))
  (setq test-choice nil)
  (see 'fixed (text))

  (jsonrpc-notify (eglot-current-server) :workspace/didChangeConfiguration
                  '(:settings (:assistantFlow (:rules (:duplicate-edge "off")))))
  (setq-default eglot-workspace-configuration '((:assistantFlow . (:rules (:duplicate-edge "off")))))
  (save-buffer)
  (wait-for "findings of the platform"
            (lambda () (seq-some (lambda (each) (equal (cdr (assq 'source each)) "platform")) (diagnostics))))
  (see 'saved (vconcat (diagnostics))))

(condition-case failure
    (run-all)
  (error (see 'failure (format "%S" failure))))
(with-temp-file (getenv "OUTPUT")
  (set-buffer-file-coding-system 'utf-8)
  (insert (json-serialize seen :null-object nil :false-object :json-false)))
(ignore-errors (eglot-shutdown (eglot-current-server)))
(kill-emacs 0)
