# Source this file in kakrc, after kakoune-lsp.
hook global BufCreate .*\.(flow|flowtest)\.ya?ml|(.*/)?assistant-flow\.(policies|project)\.yaml %{
    set-option buffer filetype assistant-flow
}

hook global WinSetOption filetype=assistant-flow %{
    require-module yaml
    add-highlighter window/assistant-flow ref yaml
    hook -once -always window WinSetOption filetype=.* %{ remove-highlighter window/assistant-flow }
}

hook -group lsp-filetype-assistant-flow global BufSetOption filetype=assistant-flow %{
    set-option buffer lsp_servers %{
        [assistant-flow]
        root_globs = [".git"]
        command = "assistant-flow"
        args = ["lsp", "--stdio"]
        settings_section = "_"
        [assistant-flow.settings._.assistantFlow]
    }
}
