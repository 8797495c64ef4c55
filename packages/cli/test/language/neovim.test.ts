import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { scratchFolder } from '../support.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/coreiso.cjs', import.meta.url));
const isBuilt = existsSync(fileURLToPath(new URL('../../dist/index.cjs', import.meta.url)));

/** A script for Neovim's own client: `start_client`, published findings, an applied action, hover, completion, a definition. */
const SCRIPT = `
local log = {}
local function finish(problem)
  if problem then log.problem = problem end
  local file = io.open(vim.env.RESULT, 'w')
  file:write(vim.fn.json_encode(log))
  file:close()
  vim.cmd('qall!')
end
local ok, problem = pcall(function()
  local client = vim.lsp.start_client({
    name = 'coreiso',
    cmd = { vim.env.NODE, vim.env.COREISO, 'lsp', '--stdio' },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  local function until_(what, test)
    if not vim.wait(60000, test, 50) then error('waited in vain for ' .. what) end
  end
  until_('findings', function() return #vim.diagnostic.get(0) > 0 end)
  log.findings = vim.diagnostic.get(0)
  log.encoding = vim.lsp.get_client_by_id(client).offset_encoding
  local finding = log.findings[1]
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = vim.lsp.util.make_range_params().range,
    context = { diagnostics = {} },
  }
  params.range.start = finding.user_data and finding.user_data.lsp and finding.user_data.lsp.range and finding.user_data.lsp.range.start or { line = finding.lnum, character = 0 }
  params.range['end'] = { line = finding.lnum, character = 200 }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)
  local actions = answers[client].result
  log.actions = actions
  vim.lsp.util.apply_workspace_edit(actions[1].edit, log.encoding)
  until_('no findings', function() return #vim.diagnostic.get(0) == 0 end)
  local place = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 4, character = 3 } }
  log.hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 60000)[client].result
  log.lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd('write')
end)
finish(not ok and tostring(problem) or nil)
`;

describeWith(['nvim'], 'Neovim', () => {
  test.skipIf(!isBuilt)(
    'shows findings of the server and applies its action',
    () => {
      const cwd = scratchFolder();
      const text =
        '# \u{1f600} first\ninterfaces:\n- name: eth0\n  type: ethernet\n  description: "\u{1f600}"\n- {name: "\u{1f600}", type: ethernet, stat: up}\n';
      writeFileSync(join(cwd, 'eth0.yaml'), text);
      writeFileSync(join(cwd, 'run.lua'), SCRIPT);
      const env = {
        ...process.env,
        RESULT: join(cwd, 'result.json'),
        NODE: process.execPath,
        COREISO: PROGRAM,
        XDG_STATE_HOME: cwd,
        XDG_CACHE_HOME: cwd,
        XDG_DATA_HOME: cwd,
      };
      const argv = ['--headless', '--clean', '-n', 'eth0.yaml', '-c', 'luafile run.lua'];
      spawnSync('nvim', argv, { cwd, env, timeout: 240_000 });
      const result = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8'));
      expect(result.problem).toBeUndefined();
      expect(result.encoding).toBe('utf-16');
      expect(result.actions[0]).toMatchObject({ title: 'Rename `stat` to `state`', isPreferred: true });
      // Neovim counts bytes: without a conversion, UTF-16 positions would split the two emoji of four bytes each.
      expect(result.findings[0].col).toBe(33);
      expect(JSON.stringify(result.hover)).toContain('**description**');
      expect(readFileSync(join(cwd, 'eth0.yaml'), 'utf8')).toBe(text.replace('stat:', 'state:'));
    },
    300_000,
  );
});
