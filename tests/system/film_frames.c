// film_frames FILE.webp [NUMBER]: what a film holds, by the decoder of libwebp: a line "frames N,
// S s, W x H", and for each frame "TIME_S SHARE DIFFERS": the share of pixels whose three
// colours differ by more than 40, which the grey floor and the text's are not, and of those that
// differ from the frame before. With a number that frame alone, as PPM.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/demux.h>

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = malloc(64 << 20);
    *size = file == NULL || data == NULL ? 0 : fread(data, 1, 64 << 20, file);
    if (file != NULL)
        fclose(file);
    return data;
}

static int spread(const unsigned char *pixel)
{
    int least = 255, most = 0;
    for (int i = 0; i < 3; i++) {
        least = pixel[i] < least ? pixel[i] : least;
        most = pixel[i] > most ? pixel[i] : most;
    }
    return most - least;
}

static void describe(const unsigned char *now, const unsigned char *before, size_t pixels, int ms)
{
    size_t coloured = 0, differ = 0;
    for (size_t i = 0; i < pixels; i++) {
        coloured += spread(now + 4 * i) > 40;
        differ += memcmp(now + 4 * i, before + 4 * i, 3) != 0;
    }
    printf("%.3f %.4f %.4f\n", ms * 1e-3, (double)coloured / (double)pixels,
           (double)differ / (double)pixels);
}

int main(int argc, char **argv)
{
    size_t size;
    const int wanted = argc > 2 ? atoi(argv[2]) : -1;
    const WebPData data = {argc > 1 ? read_all(argv[1], &size) : NULL, argc > 1 ? size : 0};
    WebPAnimDecoderOptions options;
    WebPAnimInfo info;
    if (!WebPAnimDecoderOptionsInit(&options))
        return 2;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    if (decoder == NULL || !WebPAnimDecoderGetInfo(decoder, &info))
        return 2;
    const size_t pixels = (size_t)info.canvas_width * info.canvas_height;
    unsigned char *before = calloc(pixels, 4), *now;
    int frame = 0, ms = 0, shown_ms = 0;
    for (; WebPAnimDecoderHasMoreFrames(decoder); frame++, shown_ms = ms) {
        if (before == NULL || !WebPAnimDecoderGetNext(decoder, &now, &ms))
            return 2;
        if (wanted < 0)
            describe(now, before, pixels, shown_ms);
        if (frame == wanted) {
            printf("P6 %u %u 255\n", info.canvas_width, info.canvas_height);
            for (size_t i = 0; i < pixels; i++)
                fwrite(now + 4 * i, 1, 3, stdout);
        }
        memcpy(before, now, 4 * pixels);
    }
    if (wanted < 0)
        printf("frames %d, %.2f s, %u x %u\n", frame, ms * 1e-3, info.canvas_width,
               info.canvas_height);
    WebPAnimDecoderDelete(decoder);
    free(before);
    free((void *)data.bytes);
    return 0;
}
