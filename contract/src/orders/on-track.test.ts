import { describe, expect, test } from 'vitest'
import { createOnTrack } from './on-track.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const onTrack = createOnTrack()
const nowMs = Date.parse('2026-11-20T18:00:00Z')

function badge(leftMs: number, method: string, timezone = 'America/New_York') {
  return onTrack({ deadlineAtMs: nowMs + leftMs, method, nowMs, timezone })
}

describe('LIST-026 GAP-85 the badge of an active order', () => {
  test.each(['on_demand', 'scheduled'])('%s warns half an hour before its deadline', (method) => {
    expect(badge(30 * minuteMs + 1, method).type).toBe('SLA0')
    expect(badge(30 * minuteMs, method).type).toBe('SLA1')
    expect(badge(0, method).type).toBe('SLA1')
    expect(badge(-1, method).type).toBe('SLA2')
  })

  test.each(['shipped', 'preorder', 'deposit', 'unheard_of'])('%s warns four hours before', (method) => {
    expect(badge(4 * hourMs + 1, method).type).toBe('SLA0')
    expect(badge(4 * hourMs, method).type).toBe('SLA1')
    expect(badge(-1, method).type).toBe('SLA2')
  })

  test('ENT-020 shows the time left, and far ahead also the deadline', () => {
    expect(badge(25 * minuteMs, 'on_demand').message).toBe('25 min left')
    expect(badge(hourMs, 'on_demand').message).toBe('1 h left')
    expect(badge(hourMs + 52 * minuteMs, 'on_demand').message).toBe('1 h 52 min left')
    expect(badge(12 * hourMs - 1, 'shipped').message).toBe('11 h 59 min left')
    expect(badge(12 * hourMs, 'shipped').message).toBe('By Sat 1:00 AM')
    expect(badge(12 * hourMs, 'shipped', 'Asia/Kolkata').message).toBe('By Sat 11:30 AM')
    expect(badge(20 * 24 * hourMs, 'shipped').message).toMatch(/^By \d\d\.\d\d\.20\d\d$/)
  })

  test('ENT-020 shows how late it is', () => {
    expect(badge(-1, 'shipped').message).toBe('0 min late')
    expect(badge(-90 * minuteMs, 'shipped').message).toBe('1 h 30 min late')
    expect(badge(-30 * hourMs, 'shipped').message).toBe('1 day late')
    expect(badge(-50 * hourMs, 'shipped').message).toBe('2 days late')
  })
})
