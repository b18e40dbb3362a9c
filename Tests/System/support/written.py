"""Which attributes of a gyroscope the daemon writes: the udev rule hands over these, and `doctor` looks at them."""

HANDED_OVER = [
    "buffer/enable", "buffer/length", "buffer/watermark", "buffer0/enable", "buffer0/length",
    "buffer0/watermark", "buffer0/in_anglvel_x_en", "buffer/sampling_frequency", "buffer0/sampling_frequency",
    "scan_elements/in_anglvel_x_en", "scan_elements/in_deltaangl_x_en", "scan_elements/in_accel_x_en",
    "scan_elements/in_timestamp_en", "scan_elements/out_voltage0_en", "in_anglvel_sampling_frequency",
    "in_accel_sampling_frequency", "sampling_frequency", "current_timestamp_clock", "trigger/current_trigger",
]
KEPT = [
    "in_anglvel_scale", "in_deltaangl_scale", "in_deltaangl_x_raw", "buffer/sampling_frequency_available",
    "buffer/hwfifo_watermark", "buffer/hwfifo_enabled", "in_anglvel_x_raw", "in_anglvel_x_calibbias", "name", "buffer/data_available",
    "buffer0/in_anglvel_x_type", "scan_elements/in_anglvel_x_index", "sampling_frequency_available",
    "in_anglvel_sampling_frequency_available", "power/control",
]
