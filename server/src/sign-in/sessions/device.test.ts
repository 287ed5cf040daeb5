import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

test('a device’s name has its browser and system', () => {
  expect(
    deviceOf(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1',
    ),
  ).toBe('Safari on iPhone')
  expect(deviceOf('Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Safari/537.36')).toBe('Android')
  expect([deviceOf('curl/8.5.0'), deviceOf(undefined)]).toEqual([null, null])
})

test('only the beginning of a long header is read', () => {
  expect(deviceOf(`${'x'.repeat(500)} Firefox/1 Windows`)).toBe('Firefox')
  expect(deviceOf(`${'Version/ '.repeat(1_700)}Safari/ Windows`)).toBeNull()
})
