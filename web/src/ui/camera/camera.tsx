import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Spinner } from '../blocks/spinner.tsx'
import styles from './camera.module.css'
import type { Decode } from './read-picture.ts'

interface Props {
  /** Fetches what reads a picture, which is large. */
  load: () => Promise<Decode>
  /** What to hold in the picture. */
  hint: string
  /** A text was read from a barcode. True ends the scan. */
  onText: (text: string) => boolean
  /** A picture was looked at, and no barcode could be read in it. */
  onNothing?: () => void
  onFailure: (words: string) => void
}

const pauseMs = 100

/** Reads barcodes from the camera's film until one is right. No picture leaves this component. */
export function Camera({ load, hint, onText, onNothing, onFailure }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [isOn, setOn] = useState(false)
  const loadDecode = useEffectEvent(load)
  const take = useEffectEvent(onText)
  const pass = useEffectEvent(() => onNothing?.())
  const fail = useEffectEvent(onFailure)
  useEffect(() => {
    let stream: MediaStream | undefined
    let isOver = false
    const stop = (): void => {
      isOver = true
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    const film = async (): Promise<void> => {
      const [decode, opened] = await Promise.all([loadDecode(), openCamera()])
      stream = opened
      const shown = video.current
      if (isOver || !shown) return stop()
      shown.srcObject = stream
      await shown.play()
      setOn(true)
      while (!isOver) {
        const text = decode(pictureOf(shown))
        if (text === undefined) pass()
        else if (take(text)) stop()
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    film().catch((error: unknown) => {
      const wasOver = isOver
      stop()
      if (!wasOver) fail(whyNot(error))
    })
    return stop
  }, [])
  return (
    <div className={styles.camera}>
      <video ref={video} muted playsInline aria-label="Camera" hidden={!isOn} />
      {isOn ? <p role="status">{hint}</p> : <Spinner label="Starting the camera" />}
    </div>
  )
}

/** Only an address with https has a camera. */
async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}

function pictureOf(video: HTMLVideoElement): ImageData {
  const { videoWidth: width, videoHeight: height } = video
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d', { willReadFrequently: true })
  if (!drawing) throw new Error('The browser draws no picture')
  drawing.drawImage(video, 0, 0)
  return drawing.getImageData(0, 0, width, height)
}

function whyNot(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError') return 'The browser may not use the camera. Allow it for this page.'
  if (name === 'NotFoundError') return 'This device has no camera.'
  return 'The camera did not start.'
}
