import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { haproxySketch } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';

describeWith(['haproxy'], 'HAProxy', () => {
  const folder = scratchFolder();

  function check(text: string): number | null {
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, text);
    return run('haproxy', ['-c', '-f', file]).status;
  }

  test('accepts the sketch, with addresses of both families', () => {
    const backends = [
      { name: 'far-0', address: '198.51.100.10' },
      { name: 'far-1', address: '2001:db8::11' },
    ];
    const text = haproxySketch('apps-far.reef.example.test', backends);
    expect(check(text)).toBe(0);
    expect(check(text.replace('check', 'chekc'))).toBe(1);
  });
});
