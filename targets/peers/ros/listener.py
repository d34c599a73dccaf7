#!/usr/bin/python3
"""Prints the numbers that the talker publishes, and once a second how many have come."""
import rospy
from std_msgs.msg import String

heard = []


def hear(message):
    heard.append(message.data)
    print("heard", message.data, flush=True)


rospy.init_node("listener")
rospy.Subscriber("numbers", String, hear)
print("listening", flush=True)
while not rospy.is_shutdown():
    rospy.sleep(1)
    print(len(heard), "in all", flush=True)
